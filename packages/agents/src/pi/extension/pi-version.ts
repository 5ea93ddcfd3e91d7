// The version of the Pi that an extension runs in, from the package of the started program.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type PiProcess = {
	script: string | undefined;
	/** For Pi compiled into one program. */
	execPath: string;
	/** `PI_PACKAGE_DIR` takes precedence. */
	packageDir: string | undefined;
};

/** An extension cannot import it: node resolves names from the extension's own folder. */
export function readPiVersion({ script, execPath, packageDir }: PiProcess): string | undefined {
	const folders = [packageDir, ...foldersAbove(script), dirname(execPath)];
	for (const folder of folders) {
		const manifest = folder ? readManifest(join(folder, 'package.json')) : undefined;
		if (manifest !== undefined) return manifest;
	}
	return undefined;
}

function foldersAbove(script: string | undefined): string[] {
	const folders: string[] = [];
	let folder = script === undefined ? '/' : dirname(toRealPath(script));
	while (folder !== dirname(folder)) {
		folders.push(folder);
		folder = dirname(folder);
	}
	return folders;
}

/** A compiled program names a script that is not on disk. */
function toRealPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** Undefined for other packages, such as a wrapper. */
function readManifest(path: string): string | undefined {
	try {
		const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (typeof manifest !== 'object' || manifest === null) return undefined;
		const { name, piConfig, version } = manifest as Record<string, unknown>;
		const isPi = piConfig !== undefined || String(name).endsWith('/pi-coding-agent');
		return isPi && typeof version === 'string' ? version : undefined;
	} catch {
		return undefined;
	}
}
