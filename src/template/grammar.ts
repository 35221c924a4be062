export const TEMPLATE_FORMAT = 'template/1';
