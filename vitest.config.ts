import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const ALL = ['packages/*/src/**/*.test.ts', '{boundary,bundle,scripts}/*.test.ts'];
/** Tests without shared state: they run without isolation and share their imports. */
const TOGETHER = [
	'packages/{core,protocol,client,store}/src/**/*.test.ts',
	'packages/cli/src/{output,tui/dialogs,tui/panes,tui/parts,tui/screen}/**/!(*.terminal).test.ts',
];

export default defineConfig({
	resolve: { conditions: ['source'] },
	ssr: { resolve: { conditions: ['source'] } },
	test: {
		environment: 'node',
		env: { TZ: 'UTC' },
		// Most tests wait for programs that they started, so a single worker would leave cores idle.
		maxWorkers: Math.max(3, availableParallelism() - 1),
		// Generous, because real programs are slow on a busy machine.
		testTimeout: process.env.ROOST_SOAK === '1' ? 600_000 : 240_000,
		hookTimeout: 60_000,
		reporters: ['default', './scripts/count-reporter.ts'],
		projects: [
			{ extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
			{ extends: true, test: { name: 'apart', include: ALL, exclude: [...configDefaults.exclude, ...TOGETHER] } },
		],
	},
});
