/** Program of `make platform-admin`: invites and removes administrators of the platform. */
import { platformAdmin } from './platform-admin/command.ts';

process.exitCode = await platformAdmin(process.argv.slice(2), process.env);
