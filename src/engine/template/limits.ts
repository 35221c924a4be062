export { TEMPLATE_LIMITS } from '../../shared/template-limits.ts';
