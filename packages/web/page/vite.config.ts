import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import roost from '../../../package.json' with { type: 'json' };

/** Nothing is inlined and nothing is injected: the page runs under a policy that allows only its own files. `bundle/page.ts` writes the result. */
export default defineConfig({
	root: fileURLToPath(new URL('.', import.meta.url)),
	resolve: { conditions: ['source', 'module', 'browser', 'production'] },
	define: { ROOST_VERSION: JSON.stringify(roost.version) },
	build: {
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		target: 'es2023',
		// The first load is one file: many small ones compress badly, and zod is told not to compile before a schema is made.
		rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] } } },
	},
	logLevel: 'warn',
});
