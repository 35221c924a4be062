/** What the definitions say about the name or value under the pointer. */
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { possibleAt } from './definitions.ts';
import { placeAt, sectionSetAt } from './place.ts';
import { describe, type Said, type Speaker } from './words.ts';

/** What is known about the place, and the span it is about. */
export function saidAt(text: string, offset: number, speaker: Speaker): { readonly said: Said; readonly from: number; readonly to: number } | undefined {
  const place = placeAt(text, offset);
  if (place === undefined || place.word === '') return undefined;
  const set = sectionSetAt(text, offset);
  const path = place.kind === 'name' ? [...place.path, place.word.replace(/^["']|["']$/g, '')] : place.path;
  const said = describe(possibleAt(path, set), set, speaker);
  return said === undefined ? undefined : { said, from: place.from, to: place.to };
}

export function templateHover(speaker: () => Speaker) {
  return hoverTooltip((view, position): Tooltip | null => {
    const found = saidAt(view.state.doc.toString(), position, speaker());
    if (found === undefined || position < found.from || position > found.to) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: tooltip(found.said) }) };
  }, { hoverTime: 350 });
}

/** Text only: labels come from definitions, but what stands in a template may come from anywhere. */
function tooltip({ title, lines }: Said): HTMLElement {
  const box = document.createElement('div');
  box.className = 'template-hover';
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
