// docs/configuration.md is generated from the schema; ROOST_UPDATE_GOLDEN=1 updates it.
import { join } from 'node:path';
import { goldenText } from '@roost/testkit/rigs/record/feed-golden';
import { expect, it } from 'vitest';
import { createConfigSchema } from './schema.ts';
import { listSettings, type Setting } from './setting.ts';

const PLACE = join(import.meta.dirname, '../../../../docs/configuration.md');

it('keeps docs/configuration.md in sync with the schema', () => {
	const document = toDocument(listSettings(createConfigSchema({ homeDir: '~', shell: '$SHELL' })));
	expect(goldenText(PLACE, document)).toBe(document);
});

const INTRODUCTION = `# Configuration

<!-- Made from packages/home/src/config/schema.ts. After a change there, run its tests with ROOST_UPDATE_GOLDEN=1. -->

Roost reads one file of yours: \`config.yaml\` in \`$ROOST_HOME\`, else \`~/.config/roost/config.yaml\` (or below \`$XDG_CONFIG_HOME\`). It needs no
file, and no key is required. Nothing is read from a repository.

\`\`\`yaml
projects:
  roots: [~/code]
gate:
  mode: enforce
agents:
  codex:
    env: {MY_PROVIDER_KEY: …}
\`\`\`

An environment variable goes over the file, a flag over both; an empty variable is not set. \`roost config\` prints each value and where it comes from.
A key that Roost does not know, or that has no effect, is an error. The runner reads the file when it starts: run \`roost down\` after a change,
and the next command starts a new one. Paths are absolute or begin with \`~/\`.
`;

function toDocument(settings: readonly Setting[]): string {
	const sections = Map.groupBy(settings, ({ path }) => path[0] ?? '');
	const tables = [...sections].map(([name, of]) => `## ${name}\n\n${HEADER}\n${of.map(toRow).join('\n')}\n`);
	return [INTRODUCTION, ...tables].join('\n');
}

const HEADER = '| key | value | default | variable | effect |\n|---|---|---|---|---|';

function toRow({ path, allowed, fallback, variable, does }: Setting): string {
	const cells = [code(path.join('.')), allowed(), toDefault(fallback), variable === undefined ? '' : code(variable), does];
	return `| ${cells.join(' | ')} |`;
}

function toDefault(fallback: unknown): string {
	if (fallback === undefined) return '';
	return code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback));
}

function code(text: string): string {
	return `\`${text}\``;
}
