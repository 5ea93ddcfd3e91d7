// Roost as it is installed for a user: a clone of its own with what is built, its launcher, and no agent programs beside it.
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..', '..');

/** What only tests install; Roost's own packages are those of the copy. */
const NOT_INSTALLED = ['@earendil-works', '@github', '@openai', '@roost', '.bin'];

/** The path of its launcher. `folder` must not exist yet. */
export async function copyRoost(folder: string): Promise<string> {
	await mkdir(join(folder, 'node_modules', '@roost'), { recursive: true });
	for (const name of ['roost', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.build.json'])
		await cp(join(REPOSITORY, name), join(folder, name), { recursive: true });
	await copyPackages(folder);
	for (const name of await readdir(join(REPOSITORY, 'node_modules')))
		if (!NOT_INSTALLED.includes(name)) await symlink(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
	await prepareRuntime(join(folder, '.runtime'));
	return join(folder, 'roost');
}

async function copyPackages(folder: string): Promise<void> {
	const packages = (await readdir(join(REPOSITORY, 'packages'))).filter((name) => name !== 'testkit');
	for (const name of packages) {
		const [from, to] = [join(REPOSITORY, 'packages', name), join(folder, 'packages', name)];
		await cp(from, to, { recursive: true, filter: (path) => path !== join(from, 'src') });
		// The launcher compares it with what was built.
		await mkdir(join(to, 'src'));
		await symlink(to, join(folder, 'node_modules', '@roost', name));
	}
}

/** As after the first start: nothing is fetched, installed or built. */
async function prepareRuntime(runtime: string): Promise<void> {
	const version = (await readdir(join(REPOSITORY, '.runtime'))).find((name) => /^node-\d/.test(name));
	if (version === undefined) throw new Error('This repository has no Node of its own yet: run ./roost once.');
	await mkdir(join(runtime, 'bin'), { recursive: true });
	await symlink(process.execPath, join(runtime, 'bin', 'node'));
	for (const name of [version, 'installed-run', 'built']) await writeFile(join(runtime, name), '');
}
