// Prints what the conformance run has written down, and puts the same table into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMatrix } from '@roost/agents/conformance/matrix';
import { putTable, renderMatrix } from '@roost/agents/conformance/render-matrix';

const readme = join(import.meta.dirname, '../../README.md');
const table = renderMatrix(readMatrix());
writeFileSync(readme, putTable(readFileSync(readme, 'utf8'), table));
process.stdout.write(`${table}\n`);
