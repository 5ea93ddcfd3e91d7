// Whether a runner or a hub serves this page. Remembered for this origin, because the first reads do not wait for it.
import { server } from '@roost/protocol/contract/access';

export type ServerKind = 'runner' | 'hub';

const NAME = 'server';

/** Undefined before it was read. */
export function rememberedKind(): ServerKind | undefined {
	const kept = localStorage.getItem(NAME);
	return kept === 'runner' || kept === 'hub' ? kept : undefined;
}

export function rememberKind(kind: ServerKind): void {
	localStorage.setItem(NAME, kind);
}

export type ServerFacts = {
	readonly kind: ServerKind;
	/** Of a hub, whose page this is; its runners have versions of their own. */
	readonly version: string | undefined;
};

/** Needs no login. Undefined if the server does not answer. */
export async function readServer(): Promise<ServerFacts | undefined> {
	try {
		const reply = await fetch(server.health.path, { credentials: 'omit' });
		const { hub } = server.health.reply.parse(await reply.json());
		const kind = hub ? 'hub' : 'runner';
		rememberKind(kind);
		return { kind, version: hub?.version };
	} catch {
		return undefined;
	}
}
