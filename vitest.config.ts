import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	resolve: { conditions: ['source'] },
	ssr: { resolve: { conditions: ['source'] } },
	test: {
		include: ['packages/*/src/**/*.test.ts', '{boundary,bundle,scripts}/*.test.ts'],
		environment: 'node',
		env: { TZ: 'UTC' },
		// No test leaves state behind, so the files of a worker share its process and its imports.
		isolate: false,
		// Most tests wait for programs that they started, so one worker per core would leave cores idle.
		maxWorkers: 2 * availableParallelism() + 1,
		// Generous, because real programs are slow on a busy machine.
		testTimeout: process.env.ROOST_SOAK === '1' ? 600_000 : 240_000,
		hookTimeout: 60_000,
		reporters: ['default', './scripts/count-reporter.ts'],
	},
});
