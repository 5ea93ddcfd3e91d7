// Roost as installed for a user: a separate clone with the bundle, its launcher, and no bundled agent programs.
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..', '..', '..');

/** Packages that only tests install; Roost's own packages are in the bundle. */
const NOT_INSTALLED = ['@earendil-works', '@github', '@openai', '@roost', '.bin'];

/** The path of its launcher. `folder` must not exist yet. */
export async function copyRoost(folder: string): Promise<string> {
	await mkdir(join(folder, 'node_modules'), { recursive: true });
	for (const name of ['roost', 'scripts', 'package.json', 'package-lock.json', 'dist'])
		await cp(join(REPOSITORY, name), join(folder, name), { recursive: true });
	// The launcher compares them with the bundle.
	for (const name of ['packages/cli/src', 'packages/web/page']) await mkdir(join(folder, name), { recursive: true });
	await cp(join(REPOSITORY, 'bundle/build.ts'), join(folder, 'bundle/build.ts'));
	for (const name of await readdir(join(REPOSITORY, 'node_modules')))
		if (!NOT_INSTALLED.includes(name)) await symlink(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
	await prepareRuntime(join(folder, '.runtime'));
	return join(folder, 'roost');
}

/** As after the first start: nothing is downloaded, installed or built. */
async function prepareRuntime(runtime: string): Promise<void> {
	const version = (await readdir(join(REPOSITORY, '.runtime'))).find((name) => /^node-\d/.test(name));
	if (version === undefined) throw new Error('This repository has no Node of its own yet: run ./roost once.');
	await mkdir(join(runtime, 'bin'), { recursive: true });
	await symlink(process.execPath, join(runtime, 'bin', 'node'));
	for (const name of [version, 'installed-run', 'built']) await writeFile(join(runtime, name), '');
}
