/** XML and JSON documents, as they come from devices. */
export const DOCUMENTS = {
  'document-bytes': 'The document is longer than {limit} bytes; it was not read.',
  'document-depth': 'The document is nested deeper than {limit}; it was not read.',
  'document-nodes': 'The document is made of more parts than {limit}; it was not read.',
  'document-items': 'A list in the document has more than {limit} entries; it was not read.',
  'document-mends': 'The document holds more than {limit} bare "&"; it was not read.',
  'document-name': 'A name in the document is longer than {limit} characters; it was not read.',
  'other-body':
    'The device answered with {came} where {due} was due.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'other-root':
    'The device answered with <{came}> where <{due}> was due.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'other-object':
    'The device answered with an object without {due}; it holds: {came}.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'json-broken':
    'The JSON document is not well formed.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'json-cut':
    'The JSON document is cut off.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-doctype':
    'The document declares a DOCTYPE or entities; such documents are refused.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-cut':
    'The XML document is cut off.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-broken-at':
    'The XML document is not well formed (line {line}, column {column}).\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'not-in-xml': '{field} holds a control character that XML cannot carry.',
  'not-writable': '{field} cannot be written in this format.',
  'xml-broken':
    'The XML document is not well formed.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-text-outside':
    'The XML document has text outside its root element.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'read.elements': '{field} holds elements where a single value is due.',
  'read.repeated': '{field} came {count} times; the first counts.',
  'read.again': '{field} came more than once; the first counts.',
  'read.null': '{field} is null and counts as absent.',
  'read.no-object': '{field} is not an object and counts as absent.',
  'read.no-single': '{field} is not a single value and counts as absent.',
  'read.list-of-one': '{field} is a single value where a list is due; it is read as a list of one.',
  'read.type': '{field} came as {type}.',
  'read.boolean': '{field} is true or false where another type is due.',
  'read.long': '{field} is longer than the specification allows.',
  'read.time': '{field} is a time in another form.',
  'read.empty': '{field} is empty and counts as absent.',
  'read.no-number': '{field} is not a number.',
  'read.no-whole': '{field} is not a whole number.',
  'read.outside': '{field} is outside the limits of the specification.',
  'read.no-bool': '{field} is neither true nor false.',
  'read.no-option': '{field} is not one of the values of the specification.',
  'read.unlisted': '{field} is not in the specification; it is kept as it is.',
  'read.more': '{count} further {count:note was|notes were} left out.',
  'read.ampersands': '{count} bare "&" read as "&amp;".',
  'read.zeros': 'Zero bytes after the document were left out.',
  'read.charset': 'The answer holds bytes that are not valid in its character set; they are shown replaced.',
  'read.plain-report': 'The device refused the full report; this is its standard report.',
  'read.status-only': 'The device answered with a status only.',
} as const;
