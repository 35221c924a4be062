/** Shows the definition of the name or value under the pointer, or at the cursor when F1 is pressed. */
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, showTooltip, type Command, type Tooltip } from '@codemirror/view';
import { listPossibleAt } from './definitions.ts';
import { placeAt, findSectionSet } from './place.ts';
import { describe, type HoverContent, type Speaker } from './describe.ts';

/** Returns the description of the place, and its span. */
function saidAt(
  text: string,
  offset: number,
  speaker: Speaker,
): { readonly content: HoverContent; readonly from: number; readonly to: number } | undefined {
  const place = placeAt(text, offset);
  if (place === undefined || place.word === '') return undefined;
  const set = findSectionSet(text, offset);
  const path = place.kind === 'name' ? [...place.path, place.word.replace(/^["']|["']$/g, '')] : place.path;
  const content = describe(listPossibleAt(path, set), set, speaker);
  return content === undefined ? undefined : { content, from: place.from, to: place.to };
}

const showHere = StateEffect.define<Tooltip | null>();
/** Goes as soon as the text changes or the cursor moves. */
const shownHere = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(showHere)) return effect.value;
    return transaction.docChanged || transaction.selection !== undefined ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** Shown and read out; where nothing is known, that is said. */
function tellHere(speaker: () => Speaker): Command {
  return (view) => {
    const { head } = view.state.selection.main;
    const found = saidAt(view.state.doc.toString(), head, speaker());
    const content = found?.content ?? { title: speaker().t('templates.hover.nothing'), lines: [] };
    const read = [content.title, ...content.lines.map(({ label, text }) => `${label}: ${text}`)].join('. ');
    view.dispatch({
      effects: [
        showHere.of({ pos: found?.from ?? head, above: true, create: () => ({ dom: tooltip(content) }) }),
        EditorView.announce.of(read),
      ],
    });
    return true;
  };
}
function hide(view: EditorView): boolean {
  if (view.state.field(shownHere) === null) return false;
  view.dispatch({ effects: showHere.of(null) });
  return true;
}

export function createTemplateHover(speaker: () => Speaker): Extension {
  const underPointer = hoverTooltip(
    (view, position): Tooltip | null => {
      const found = saidAt(view.state.doc.toString(), position, speaker());
      if (found === undefined || position < found.from || position > found.to) return null;
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: tooltip(found.content) }) };
    },
    { hoverTime: 350 },
  );
  return [
    underPointer,
    shownHere,
    keymap.of([
      { key: 'F1', run: tellHere(speaker), preventDefault: true },
      { key: 'Escape', run: hide },
    ]),
  ];
}

/** Builds the tooltip from text only: labels come from definitions, but a template may hold anything. */
function tooltip({ title, lines }: HoverContent): HTMLElement {
  const box = document.createElement('div');
  box.className = 'template-hover';
  box.dataset['testId'] = 'hover';
  const heading = document.createElement('strong');
  heading.textContent = title;
  const list = document.createElement('dl');
  for (const { label, text } of lines) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = label;
    description.textContent = text;
    list.append(term, description);
  }
  box.append(heading, ...(lines.length > 0 ? [list] : []));
  return box;
}
