// Finds the real `claude` that comes with the Agent SDK, so that tests never run the one of the machine.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from './is-executable.ts';

export type ClaudeBinary = { readonly found: true; readonly path: string } | { readonly found: false; readonly whatToDo: string };

export type Platform = { readonly os: string; readonly arch: string };

export function findClaudeBinary(platform: Platform = { os: process.platform, arch: process.arch }): ClaudeBinary {
	const base = `@anthropic-ai/claude-agent-sdk-${platform.os}-${platform.arch}`;
	const program = platform.os === 'win32' ? 'claude.exe' : 'claude';
	const path = [base, `${base}-musl`]
		.flatMap(packageDirectories)
		.map((directory) => join(directory, program))
		.find(isExecutable);
	if (path !== undefined) return { found: true, path };
	return { found: false, whatToDo: `${base} is not installed: run \`npm ci\` without --omit=optional or --omit=dev.` };
}

/** Where npm may have put a dependency of the SDK: beside it, or below it. */
function packageDirectories(name: string): readonly string[] {
	const sdk = findSdk();
	return sdk === undefined ? [] : (createRequire(sdk).resolve.paths(name) ?? []).map((modules) => join(modules, name));
}

function findSdk(): string | undefined {
	try {
		return fileURLToPath(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
		throw error;
	}
}
