import { defineConfig } from 'vitest/config';

export default defineConfig({
	resolve: { conditions: ['source'] },
	ssr: { resolve: { conditions: ['source'] } },
	test: {
		include: ['packages/*/src/**/*.test.ts', 'boundary/*.test.ts'],
		environment: 'node',
		env: { TZ: 'UTC' },
		testTimeout: 30_000,
		hookTimeout: 30_000,
		reporters: ['default', './scripts/count-reporter.ts'],
	},
});
