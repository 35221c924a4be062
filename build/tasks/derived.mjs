/**
 * Writes the files that follow from other files (in resources/, and the reference of commands) with the Node
 * of the checkout: `npx node build/tasks/derived.mjs`. Tests hold the kept files against their sources.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportSchemaText } from '../../src/shared/report-document.ts';
import { formatTemplateIndex } from '../../src/engine/template/templates.ts';
import { formatTemplateSchema } from '../../src/engine/template/json-schema.ts';
import { formatReference } from './support/cli-reference.mjs';
import { formatLocaleModules } from './support/locales.ts';
import { root } from './support/paths.mjs';

const resources = join(root, 'resources');
mkdirSync(join(resources, 'schema'), { recursive: true });
for (const [name, text] of Object.entries(formatLocaleModules(join(resources, 'locales'))))
  writeFileSync(join(resources, 'locales', name), text);
writeFileSync(join(resources, 'schema', 'template.schema.json'), formatTemplateSchema());
writeFileSync(join(resources, 'schema', 'report.schema.json'), reportSchemaText());
writeFileSync(join(resources, 'templates.json'), formatTemplateIndex(resources));
writeFileSync(join(root, 'src', 'cli', 'COMMANDS.md'), formatReference());
