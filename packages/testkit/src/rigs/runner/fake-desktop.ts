// A desktop whose program for opening files only records what it was started with.
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { waitFor } from '../wait-for.ts';

export type FakeDesktop = {
	/** Found before the user's own program. */
	path(inherited: string | undefined): string;
	isUsed(): boolean;
	/** The arguments, once it was started. */
	opened(): Promise<readonly string[]>;
};

export async function createFakeDesktop(folder: string): Promise<FakeDesktop> {
	const bin = join(folder, 'bin');
	const log = join(folder, 'opened');
	await mkdir(bin);
	const opener = join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open');
	await writeFile(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > "${log}.part" && mv "${log}.part" "${log}"\n`);
	await chmod(opener, 0o755);
	return {
		path: (inherited = '') => `${bin}${delimiter}${inherited}`,
		isUsed: () => existsSync(log),
		async opened() {
			await waitFor(() => (existsSync(log) ? true : undefined), { what: 'the file to be opened' });
			return readFileSync(log, 'utf8').trimEnd().split('\n');
		},
	};
}
