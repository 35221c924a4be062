/** Forbids layout in the style blocks of screens: the kit's layout parts place things. */
const MOST = 9;

const LAYOUT =
  /(?:^|[;{\s])(display:\s*(?:inline-)?(?:flex|grid)|(?:gap|align-items|justify-content|grid-template[\w-]*|(?:padding|margin)[\w-]*)\s*:)/g;

export const layoutInTheKit = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      own: 'Layout belongs to the parts of components/ui (Stack, Row, Grid, Panel, Page …): {{ count }} declarations here, {{ most }} at most.',
    },
  },
  create(context) {
    return {
      Program() {
        const page = context.sourceCode.parserServices.getDocumentFragment?.();
        const styles =
          page?.children.filter(({ type, name }) => type === 'VElement' && name === 'style') ?? [];
        const counts = styles.map((style) => [
          style,
          [...context.sourceCode.text.slice(...style.range).matchAll(LAYOUT)].length,
        ]);
        const count = counts.reduce((sum, [, found]) => sum + found, 0);
        if (count <= MOST) return;
        const [[style]] = counts.toSorted(([, a], [, b]) => b - a);
        context.report({ loc: style.startTag.loc, messageId: 'own', data: { count, most: MOST } });
      },
    };
  },
};
