// The `claude` program of the Agent SDK, for machines without one.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasCode } from '@roost/machine/error-code';
import { isExecutable } from '@roost/machine/find-program';

export type Platform = { readonly os: string; readonly arch: string };

/** Null where the package for this platform is not installed. */
export function findEmbeddedClaude({ os, arch }: Platform = { os: process.platform, arch: process.arch }): string | null {
	const base = `@anthropic-ai/claude-agent-sdk-${os}-${arch}`;
	const program = os === 'win32' ? 'claude.exe' : 'claude';
	const places = [base, `${base}-musl`].flatMap(packageDirectories).map((directory) => join(directory, program));
	return places.find(isExecutable) ?? null;
}

/** npm installs a dependency of the SDK beside it or below it. */
function packageDirectories(name: string): string[] {
	const sdk = findSdk();
	return sdk === null ? [] : (createRequire(sdk).resolve.paths(name) ?? []).map((modules) => join(modules, name));
}

function findSdk(): string | null {
	try {
		return fileURLToPath(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
	} catch (error) {
		if (hasCode(error, 'ERR_MODULE_NOT_FOUND')) return null;
		throw error;
	}
}
