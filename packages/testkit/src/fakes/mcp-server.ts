// An MCP server on loopback that answers a health check; with a login, only to whoever came through it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord } from './model-request.ts';

export type FakeMcpServer = AsyncDisposable & {
	readonly url: string;
	/** What a person does at the address of a login: says yes, and is sent back to whoever asked. */
	consent(loginUrl: string): Promise<void>;
};

const TOKEN = 'token-of-the-fake';

export async function startMcpServer({ login = false }: { login?: boolean } = {}): Promise<FakeMcpServer> {
	const server = createServer((request, response) => void answer(request, response));
	const listening = Promise.withResolvers<void>();
	server.listen(0, '127.0.0.1', listening.resolve);
	await listening.promise;
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const origin = `http://127.0.0.1:${address.port}`;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await text(request);
		const path = request.url ?? '';
		if (path === '/mcp' && (!login || request.headers.authorization === `Bearer ${TOKEN}`)) return answerRpc(body, response);
		if (path === '/token') return send(response, 200, { access_token: TOKEN, token_type: 'Bearer', expires_in: 3_600 });
		if (path === '/register') return send(response, 201, { ...toRecord(body), client_id: 'client' });
		if (path.includes('oauth-protected-resource'))
			return send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
		if (path.includes('oauth-authorization-server')) return send(response, 200, toMetadata(origin));
		const resource = `${origin}/.well-known/oauth-protected-resource/mcp`;
		send(response, 401, { error: 'unauthorized' }, { 'www-authenticate': `Bearer resource_metadata="${resource}"` });
	}

	return {
		url: `${origin}/mcp`,
		async consent(loginUrl) {
			const { searchParams } = new URL(loginUrl);
			const back = new URL(searchParams.get('redirect_uri') ?? '');
			back.searchParams.set('code', 'yes');
			back.searchParams.set('state', searchParams.get('state') ?? '');
			await (await fetch(back)).text();
		},
		async [Symbol.asyncDispose]() {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			server.closeAllConnections();
			await closed.promise;
		},
	};
}

function answerRpc(body: string, response: ServerResponse): void {
	const { id, method, params } = toRecord(body);
	const status = body === '' ? 405 : 202;
	const { protocolVersion } = isRecord(params) ? params : {};
	const hello = { protocolVersion, capabilities: {}, serverInfo: { name: 'fake', version: '1' } };
	if (id === undefined) send(response, status, {});
	else send(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? hello : {} });
}

function toMetadata(origin: string): object {
	return {
		issuer: origin,
		authorization_endpoint: `${origin}/authorize`,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code'],
		code_challenge_methods_supported: ['S256'],
	};
}

function toRecord(body: string): Readonly<Record<string, unknown>> {
	const value: unknown = body === '' ? {} : JSON.parse(body);
	return isRecord(value) ? value : {};
}

function send(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(value));
}
