/** Forbids layout in the style blocks of screens: the kit's layout parts place things. */
const LAYOUT =
  /(?:^|[;{\s])(display:\s*(?:inline-)?(?:flex|grid)|(?:gap|align-items|justify-content|grid-template[\w-]*|(?:padding|margin)[\w-]*)\s*:)/;

export const layoutInTheKit = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      own: 'Layout of a screen ({{ what }}) belongs to the parts of components/ui: Stack, Row, Grid, Panel, Page …',
    },
  },
  create(context) {
    return {
      Program() {
        const page = context.sourceCode.parserServices.getDocumentFragment?.();
        const styles =
          page?.children.filter(({ type, name }) => type === 'VElement' && name === 'style') ?? [];
        for (const style of styles) {
          const text = context.sourceCode.text.slice(...style.range).replace(/^<style[^>]*>/, '');
          const found = LAYOUT.exec(text)?.[1];
          if (found !== undefined)
            context.report({ loc: style.startTag.loc, messageId: 'own', data: { what: found } });
        }
      },
    };
  },
};
