export {
  VARIABLE_NAME,
  maskPlaceholders,
  splitPlaceholders,
  wholeVariable,
} from '../../../shared/placeholder.ts';
