// A link that logs a browser in, once, within seconds. A browser may decide, so agents cannot get one.
import { unwrap } from '../output/exit.ts';
import type { Connected } from '../transport/connected.ts';

export type LoginLink = {
	/** On this machine. */
	url: string;
	/** The same link at the origins of `web.origins`. */
	elsewhere: string[];
	expiresAt: number;
};

export async function makeLink({ api, baseUrl }: Pick<Connected, 'api' | 'baseUrl'>): Promise<LoginLink> {
	const { path, expiresAt, origins } = unwrap(await api.login.ticket());
	return { url: `${baseUrl()}${path}`, elsewhere: origins.map((origin) => `${origin}${path}`), expiresAt };
}
