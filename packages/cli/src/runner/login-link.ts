// A link that logs a browser in, once, within seconds. A browser may decide, so agents cannot get one.
import { unwrap } from '../output/exit.ts';
import type { Connected } from './connect.ts';

export async function makeLink({
	api,
	baseUrl,
}: Pick<Connected, 'api' | 'baseUrl'>): Promise<{ url: string; expiresAt: number }> {
	const { path, expiresAt } = unwrap(await api.login.ticket());
	return { url: `${baseUrl()}${path}`, expiresAt };
}
