import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	resolve: { conditions: ['source'] },
	ssr: { resolve: { conditions: ['source'] } },
	test: {
		include: ['packages/*/src/**/*.test.ts', 'boundary/*.test.ts'],
		environment: 'node',
		env: { TZ: 'UTC' },
		// Most tests wait for programs that they started, so one worker would leave a small machine idle.
		maxWorkers: Math.max(3, availableParallelism() - 1),
		// Only says how soon a red test is told: a machine with much to do takes its time over real programs.
		testTimeout: process.env.ROOST_SOAK === '1' ? 600_000 : 120_000,
		hookTimeout: 60_000,
		reporters: ['default', './scripts/count-reporter.ts'],
	},
});
