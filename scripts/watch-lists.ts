/** Program of `watch-lists`: imports lists, shows their age and returns to earlier versions. */
import { watchLists } from './watch-lists/command.ts';

process.exitCode = await watchLists(process.argv.slice(2), process.env);
