// Which requests need no credential: the page's files, and the operations that are open to everyone.
import type { Callable } from './api.ts';
import type { PageFile } from './page-files.ts';

export type Served = { api: readonly Pick<Callable, 'operation'>[]; pages: readonly Pick<PageFile, 'path'>[] };

/** Anything unclear needs one. */
export function isOpen({ api, pages }: Served, method: string, path: string): boolean {
	if (method === 'GET' && pages.some((page) => page.path === path)) return true;
	return api.some(({ operation }) => operation.needs === 'none' && operation.method === method && fits(operation.path, path));
}

function fits(pattern: string, path: string): boolean {
	const parts = path.split('/');
	const own = pattern.split('/');
	return own.length === parts.length && own.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]));
}
