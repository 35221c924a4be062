export {
  VARIABLE_NAME,
  maskPlaceholders,
  splitPlaceholders,
  wholeVariable,
} from '#shared/text/placeholder.ts';
