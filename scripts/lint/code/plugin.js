/** Rules about the code of the project, for oxlint. JavaScript, because editors run it with a Node of their own. */

/** An object or a type of more members than this stands on several lines. */
const MOST_ON_A_LINE = 3;

const onSeveralLines = {
  meta: {
    type: 'layout',
    fixable: 'whitespace',
    schema: [],
    messages: {
      packed: `An object or a type of more than ${MOST_ON_A_LINE} members stands on several lines: run make format.`,
    },
  },
  create(context) {
    // The formatter leaves an object on several lines if the first member does not stand beside the brace.
    const look = (node, members) => {
      if (members.length <= MOST_ON_A_LINE) return;
      const [begin] = node.range;
      if (context.sourceCode.text.slice(begin, members[0].range[0]).includes('\n')) return;
      const fix = (fixer) => fixer.insertTextAfterRange([begin, begin + 1], '\n');
      context.report({ node, messageId: 'packed', fix });
    };
    return {
      ObjectExpression: (node) => look(node, node.properties),
      TSTypeLiteral: (node) => look(node, node.members),
    };
  },
};

export default { meta: { name: 'house' }, rules: { 'on-several-lines': onSeveralLines } };
