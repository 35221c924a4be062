/** Writes what a device showed as a template, without asking it again. Pure. */
import type { Device } from '#shared/model.ts';
import type { SnapshotDocument } from '#shared/snapshots.ts';
import { dropRepeated } from '../template/capture/capture-device.ts';
import { captureSection, type SectionCapture } from '../template/capture/capture-section.ts';
import { captureText } from '../template/capture/capture-text.ts';
import { compareText, encodeCanonicalJson } from '../text/canonical-json.ts';
import { findDocumentResource, readDocumentValue } from './compare-documents.ts';

/**
 * Returns the template. Its text is the same for the same documents in any order, and one line different for one value that
 * is. Secrets are in no snapshot. @throws `not-supported` where none of the documents is a setting
 */
export function captureDocuments(
  { name, url, kinds }: Pick<Device, 'name' | 'url' | 'kinds'>,
  documents: readonly SnapshotDocument[],
): ReturnType<typeof captureText> {
  const captures: SectionCapture[] = [];
  const inOrder = documents
    .map((document) => ({ document, place: encodeCanonicalJson([document.operation, document.params]) }))
    .sort((a, b) => compareText(a.place, b.place));
  for (const { document } of inOrder) {
    const resource = findDocumentResource(document);
    const value = resource === undefined ? undefined : readDocumentValue(resource, document.text);
    if (resource === undefined || value === undefined) continue;
    const capture = dropRepeated(
      captureSection(resource, { kind: 'value', params: document.params, value, unlisted: [] }),
      captures,
    );
    if (capture !== undefined) captures.push(capture);
  }
  return captureText(captures, { name, device: name, url, kinds });
}
