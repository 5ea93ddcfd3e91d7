// Where Roost's own files are: below packages/ where its sources run, below dist/ where the bundle runs.

/** Each as it is written and as it is bundled, from the folder of the program. The bundler makes the second of the first. */
export const PROGRAM_FILES = {
	start: ['packages/cli/src/start.ts', 'dist/cli/start.js'],
	main: ['packages/cli/src/main.ts', 'dist/cli/main.js'],
	verifyWorker: ['packages/runner/src/record/verify-worker.ts', 'dist/verify/verify-worker.js'],
	forwarder: ['packages/agents/src/hooks/forwarder.ts', 'dist/hooks/forwarder.js'],
	guard: ['packages/agents/src/guard-program/guard-entry.ts', 'dist/guard/guard-entry.js'],
	copilotGate: ['packages/agents/src/copilot/gate-hook.ts', 'dist/copilot/gate-hook.js'],
	piGate: ['packages/agents/src/pi/extension/gate-extension.ts', 'dist/pi/gate-extension.js'],
	piGuard: ['packages/agents/src/pi/extension/guard-extension.ts', 'dist/pi/guard-extension.js'],
	piInstalled: ['packages/agents/src/pi/extension/installed-extension.ts', 'dist/pi/installed-extension.js'],
	piReport: ['packages/agents/src/pi/extension/report-extension.ts', 'dist/pi/report-extension.js'],
} as const;

/** The page for browsers, as it is built; sources cannot be served. */
export const PAGE_FOLDER = 'dist/page';

export type ProgramFile = keyof typeof PROGRAM_FILES;

/** This package has no types of Node, but every module has a URL. */
const { url } = import.meta as ImportMeta & { readonly url: string };
const AS_WRITTEN = '/packages/core/src/process/program-files.ts';

export const RUNS_FROM_SOURCE = url.endsWith(AS_WRITTEN);

/** The folder with the launcher: a clone, or the package as npm installed it. */
export const PROGRAM_FOLDER = decodeURIComponent(
	url.slice('file://'.length, RUNS_FROM_SOURCE ? -AS_WRITTEN.length : url.lastIndexOf('/dist/')),
);

export function programFile(name: ProgramFile): string {
	const [written, bundled] = PROGRAM_FILES[name];
	return `${PROGRAM_FOLDER}/${RUNS_FROM_SOURCE ? written : bundled}`;
}

/** The arguments for node: sources need a condition to find each other. */
export function programArgs(name: ProgramFile): string[] {
	return RUNS_FROM_SOURCE ? ['--conditions=source', programFile(name)] : [programFile(name)];
}
