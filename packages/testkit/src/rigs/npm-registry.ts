// A registry of its own for npm: it hands out packages that are installed here, without what they would bring along beyond these.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type NpmRegistry = AsyncDisposable & { readonly url: string };

type Manifest = { name: string; version: string; optionalDependencies?: Record<string, string> };

/** `modules`: the folder that the packages are installed in; `temp`: where their archives are made. */
export async function startNpmRegistry(modules: string, names: readonly string[], temp: string): Promise<NpmRegistry> {
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? '').slice(1);
		const name = names.find((each) => path === each || path === `${each}.tgz`);
		if (name === undefined) response.writeHead(404).end('{}');
		else if (path === name) response.end(JSON.stringify(describePackage(join(modules, name), names, `${url}/${name}.tgz`)));
		else response.end(pack(join(modules, name), join(temp, name)));
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function describePackage(folder: string, names: readonly string[], tarball: string): object {
	const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const { name, version, optionalDependencies = {} } = manifest;
	const optional = Object.fromEntries(Object.entries(optionalDependencies).filter(([each]) => names.includes(each)));
	const described = { name, version, optionalDependencies: optional, dist: { tarball } };
	return { name, 'dist-tags': { latest: version }, versions: { [version]: described } };
}

/** As npm packs it: everything below a folder called `package`. */
function pack(folder: string, temp: string): Buffer {
	mkdirSync(temp, { recursive: true });
	symlinkSync(folder, join(temp, 'package'));
	return execFileSync('tar', ['-chzf', '-', '-C', temp, 'package'], { maxBuffer: 2 ** 28 });
}
