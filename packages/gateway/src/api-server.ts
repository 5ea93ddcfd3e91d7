// The server of an API: its checks, its router and its sockets. Wiring only; a runner and a hub each bring their operations.
import type { AddressInfo } from 'node:net';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type ChecksDeps, createChecks } from './access/checks.ts';
import type { Peers } from './access/peers.ts';
import type { Logins } from './access/secrets.ts';
import type { GatewayLimits } from './http/limits.ts';
import { createThrottledLog, type Log } from './http/log.ts';
import { readPage } from './http/page-files.ts';
import { type Certificate, createHttpApp, isOpen } from './http-app.ts';
import type { Callable } from './operations/api.ts';
import type { FindRunner, ServedRunner } from './operations/served-runner.ts';
import { createSockets, type Door, type Lag } from './stream-sockets.ts';

export type ApiServer = AsyncDisposable & {
	readonly url: string;
	readonly port: number;
	routes(): { method: string; url: string }[];
	/** Number of clients of the stream and of terminals. */
	clients(): number;
	/** Number of people watching, any runner or the one with this id. */
	watching(runner?: string): number;
	lag(): Lag;
	close(): Promise<void>;
};

export type ApiServerDeps = {
	/** At the root of the API. */
	api: readonly Callable[];
	/** Whose sockets are at the root of the API. */
	root?: ServedRunner | undefined;
	findRunner: FindRunner;
	access: Omit<ChecksDeps, 'host' | 'hasTls' | 'isOpen'>;
	peers: Peers;
	logins: Pick<Logins, 'onEnd'>;
	host: string;
	port: number;
	limits: GatewayLimits;
	newId: () => string;
	log?: Log | undefined;
	/** With the built page; that of this program by default. */
	pageFolder?: string | undefined;
	tls?: Certificate | undefined;
	/** How to choose another port, for the error. */
	otherPort: string;
	/** Sockets that check their callers themselves, by path. */
	findDoor?: ((path: string) => Door | undefined) | undefined;
};

export async function startApiServer(deps: ApiServerDeps): Promise<Result<ApiServer>> {
	const { api, access, findRunner, host, newId, limits } = deps;
	const throttled = createThrottledLog(deps.log ?? (() => {}));
	const { log } = throttled;
	const page = readPage(deps.pageFolder);
	const checks = createChecks({
		...access,
		host,
		hasTls: deps.tls !== undefined,
		isOpen: (asked) => isOpen({ api, files: page.files }, asked),
	});
	const http = createHttpApp({ ...deps, page, checks, log });
	const sockets = createSockets({ ...deps, checks, limits, newId, log });
	sockets.serve(http.app.server);
	let closing: Promise<void> | undefined;

	function close(): Promise<void> {
		closing ??= sockets.close().then(() => {
			throttled[Symbol.dispose]();
			return http.app.close();
		});
		return closing;
	}

	try {
		await http.app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port: deps.port });
	} catch (cause) {
		await close();
		const why = `Cannot listen on ${host}:${deps.port}: ${whyNot(cause)}. ${deps.otherPort}`;
		return err(new AppError('cannot_start', why, { cause }));
	}
	const port = portOf(http.app.server.address()) ?? deps.port;
	const url = `${deps.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
	const { clients, lag } = sockets;
	const watching = (id?: string) => (id === undefined ? sockets.watching() : sockets.watching(findRunner(id)));
	return ok({ url, port, routes: http.routes, clients, watching, lag, close, [Symbol.asyncDispose]: close });
}

function whyNot(cause: unknown): string {
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	if (code === 'EADDRINUSE') return 'another program uses this port';
	if (code === 'EACCES') return 'this port needs more privileges';
	return cause instanceof Error ? cause.message : String(cause);
}

function portOf(address: AddressInfo | string | null): number | undefined {
	return typeof address === 'object' ? address?.port : undefined;
}
