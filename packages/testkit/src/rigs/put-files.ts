// Creates files of a test by path.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Creates missing folders; values other than text are written as JSON. */
export async function putFiles(root: string, files: Readonly<Record<string, unknown>>): Promise<void> {
	for (const [path, content] of Object.entries(files)) {
		const file = join(root, path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
	}
}

export async function putLinks(root: string, links: Readonly<Record<string, string>>): Promise<void> {
	for (const [path, target] of Object.entries(links)) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await symlink(target, join(root, path));
	}
}
