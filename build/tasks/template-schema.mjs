/**
 * Writes resources/schema/template.schema.json anew from the definitions, with the Node of the
 * checkout: `npx node build/tasks/template-schema.mjs`. A test holds the kept file against them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { templateSchemaText } from '../../src/engine/template/json-schema.ts';
import { root } from './support/paths.mjs';

const folder = join(root, 'resources', 'schema');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'template.schema.json'), templateSchemaText());
