// Which version the Pi is that an extension runs in: from the package of the program that was started, wherever it is installed.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type PiProcess = {
	/** The script that node was started with. */
	script: string | undefined;
	/** The program itself, where Pi is compiled into one. */
	execPath: string;
	/** `PI_PACKAGE_DIR`: where Pi itself looks, whatever it was started with. */
	packageDir: string | undefined;
};

/** An extension cannot import it: node resolves names for built modules from where the extension lies. */
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

/** A program compiled into one file names a script that is not on disk. */
function toRealPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** The version in the manifest of Pi; of another package, such as one that wraps it, it says nothing. */
function readManifest(path: string): string | undefined {
	try {
		const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (typeof manifest !== 'object' || manifest === null) return undefined;
		const { name, piConfig, version } = manifest as Record<string, unknown>;
		const isPi = piConfig !== undefined || String(name).endsWith('/pi-coding-agent');
		return isPi && typeof version === 'string' ? version : undefined;
	} catch {
		// Not there, or not JSON: not this one.
		return undefined;
	}
}
