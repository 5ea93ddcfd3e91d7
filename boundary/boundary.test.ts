import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toBiomeOverrides } from './biome-twin.ts';
import { AGENT_NAME_HOMES, PACKAGES } from './graph.ts';
import { findViolations, importsOf, readSources } from './walk.ts';

const root = join(import.meta.dirname, '..');

describe('the boundary', () => {
	it('holds for every source file', () => {
		expect(findViolations(readSources(root))).toEqual([]);
	});

	it('lists only files that contain the name of an agent', () => {
		const sources = new Map(readSources(root).map(({ path, text }) => [path, text]));
		for (const path of Object.keys(AGENT_NAME_HOMES)) {
			const found = findViolations([{ path: `${path}x.ts`, text: sources.get(path) ?? '' }]);
			expect([path, found]).toEqual([path, expect.arrayContaining([expect.stringContaining('names the agent')])]);
		}
	});

	it('allows agent names in sentences', () => {
		const text = "const says = 'Run claude or codex';\n// claude does this\nconst api = `see pi`;";
		expect(findViolations([{ path: 'packages/cli/src/x.ts', text }])).toEqual([]);
	});

	it('reads every package of the graph', () => {
		const read = new Set(readSources(root).map((file) => file.path.split('/')[1]));
		expect([...read].sort()).toEqual(Object.keys(PACKAGES).sort());
	});

	it('equals the rules in biome.json', () => {
		const { overrides } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
		for (const override of toBiomeOverrides()) expect(overrides).toContainEqual(override);
	});

	it('fails when no file was read', () => {
		expect(findViolations([])).toHaveLength(1);
	});

	it('finds every form of import', () => {
		const text = [
			"import a from 'one';",
			"import type { B } from 'two';",
			"import {\n\tc,\n} from 'three';",
			"export { d } from 'four';",
			"import 'five';",
			"const six = await import('six');",
			"type Seven = typeof import('seven');",
			"// import x from 'no';",
		].join('\n');
		expect(importsOf(text).map((found) => found.specifier)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
	});
});

describe('finds a planted violation', () => {
	const planted: [string, string, string, RegExp][] = [
		['an upward import', 'packages/core/src/x.ts', "import { y } from '@roost/store/store';", /core may not import store/],
		[
			'a sideways import',
			'packages/agents/src/x.ts',
			"import type { Store } from '@roost/store/store';",
			/agents may not import store/,
		],
		[
			'the runner imported by a command',
			'packages/cli/src/commands/x.ts',
			"const r = await import('@roost/runner/main');",
			/cli may not import runner/,
		],
		[
			'the runner imported statically',
			'packages/cli/src/runner/open-runner.ts',
			"import { r } from '@roost/runner/main';",
			/cli may not import runner/,
		],
		['Node in a pure package', 'packages/core/src/x.ts', "import { readFileSync } from 'node:fs';", /must run in a browser/],
		[
			'a path out of the package',
			'packages/core/src/x.ts',
			"import { a } from '../../store/src/store.ts';",
			/outside its package/,
		],
		[
			'a folder that imports upward',
			'packages/core/src/feed/x.ts',
			"import { a } from '../views/a.ts';",
			/feed is not above views/,
		],
		['a folder that imports the wiring', 'packages/cli/src/tui/x.ts', "import { a } from '../main.ts';", /the files beside it/],
		['a folder without a layer', 'packages/core/src/new/x.ts', "import { a } from '../feed/a.ts';", /new is in no layer/],
		['a dependency that is not in the graph', 'packages/core/src/x.ts', "import yaml from 'yaml';", /core may not/],
		['test tools in product code', 'packages/core/src/x.ts', "import { expect } from 'vitest';", /only tests/],
		['a module mock', 'packages/core/src/x.test.ts', "vi.mock('./y.ts');", /mocks a module/],
		['a file past its limit', 'packages/core/src/x.ts', 'x\n'.repeat(401), /401 lines/],
		[
			"a word of an agent's wire format",
			'packages/runner/src/x.ts',
			"const a = 'hookSpecificOutput';",
			/word of claude's wire format/,
		],
		["an agent's name as a value", 'packages/runner/src/x.ts', "const isIt = agent === 'claude';", /names the agent claude/],
		['a short agent name as a key', 'packages/cli/src/x.ts', "const all = { pi: 'x' };", /names the agent pi/],
		["an agent's name in an identifier", 'packages/home/src/x.ts', 'const findCodexHome = 1;', /names the agent codex/],
		["an agent's folder", 'packages/runner/src/x.ts', "import { x } from '@roost/agents/acp/acp-wire';", /names the agent acp/],
		['a package outside the graph', 'packages/utils/src/x.ts', '', /not in the graph/],
	];

	it.each(planted)('%s', (_name, path, text, message) => {
		expect(findViolations([{ path, text }]).join('\n')).toMatch(message);
	});
});
