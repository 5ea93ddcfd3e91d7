import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const ALL = ['packages/*/src/**/*.test.ts', '{boundary,bundle,scripts}/*.test.ts'];
/** They touch nothing but their own world, so that they can share what they import. */
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
		// Most tests wait for programs that they started, so one worker would leave a small machine idle.
		maxWorkers: Math.max(3, availableParallelism() - 1),
		// Only says how soon a red test is told: a machine with much to do takes its time over real programs.
		testTimeout: process.env.ROOST_SOAK === '1' ? 600_000 : 240_000,
		hookTimeout: 60_000,
		reporters: ['default', './scripts/count-reporter.ts'],
		projects: [
			{ extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
			{ extends: true, test: { name: 'apart', include: ALL, exclude: [...configDefaults.exclude, ...TOGETHER] } },
		],
	},
});
