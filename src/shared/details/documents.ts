/** XML and JSON documents, as they come from devices. */
export const DOCUMENTS = {
  'document-bytes': 'The document is longer than {limit} bytes; it was not read.',
  'document-depth': 'The document is nested deeper than {limit}; it was not read.',
  'document-nodes': 'The document is made of more parts than {limit}; it was not read.',
  'document-mends': 'The document holds more than {limit} bare "&"; it was not read.',
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
  'xml-roots':
    'The XML document does not have exactly one root element.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'not-in-xml': '{field} holds a control character that XML cannot carry.',
  'not-writable': '{field} cannot be written in this format.',
  'xml-broken':
    'The XML document is not well formed.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-text-outside':
    'The XML document has text outside its root element.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
} as const;
