// Floors for the page: a static page of the same size, and a list in plain DOM that is fed over a bare WebSocket.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PAGE_FOLDER, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { openBroadcaster } from '@roost/testkit/rigs/api/counting-sockets';
import { storedText } from './stored-home.ts';

export type FloorServer = Disposable & {
	/** As many bytes as the first load of the page; then it shows a sentence. */
	readonly staticUrl: string;
	/** A list of this many rows that follows its end. */
	listUrl(rows: number): string;
	/** Sends one row to every list. */
	push(text: string): void;
};

export async function startFloorServer(): Promise<FloorServer> {
	using stack = new DisposableStack();
	const sockets = stack.use(await openBroadcaster());
	const files: Record<string, readonly [type: string, content: Buffer]> = {
		'/static': [
			'text/html',
			Buffer.from('<!doctype html><title>static</title><body></body><script type="module" src="/same-size.js"></script>'),
		],
		'/same-size.js': ['text/javascript', Buffer.from(`${asComment(firstScripts())}document.body.textContent = 'Ready';`)],
		'/list': ['text/html', Buffer.from(toListPage(sockets.url))],
	};
	const server = createServer((request, response) => {
		const file = files[new URL(request.url ?? '/', 'http://floor').pathname];
		if (!file) return void response.writeHead(404).end();
		response.writeHead(200, { 'content-type': file[0], 'content-encoding': 'gzip' }).end(gzipSync(file[1]));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the floor server has no port');
	stack.defer(() => void server.closeAllConnections());
	stack.defer(() => void server.close());
	const url = `http://127.0.0.1:${address.port}`;
	const owned = stack.move();
	return {
		staticUrl: `${url}/static`,
		listUrl: (rows) => `${url}/list?rows=${rows}`,
		push: (text) => sockets.broadcast(JSON.stringify({ type: 'line', at: Date.now(), text })),
		[Symbol.dispose]: () => owned.dispose(),
	};
}

/** The scripts that the page loads before it shows anything. */
export function firstScripts(): { name: string; text: string }[] {
	const read = (name: string) => readFileSync(join(PROGRAM_FOLDER, PAGE_FOLDER, name), 'utf8');
	return [...read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => ({
		name,
		text: read(name),
	}));
}

function asComment(scripts: readonly { text: string }[]): string {
	return `/*${scripts.map(({ text }) => text.replaceAll('*/', '**')).join('')}*/`;
}

/** Rows of a fixed height in a window, each created once: what any list in a browser has to do at least. */
function toListPage(socketUrl: string): string {
	return `<!doctype html><meta charset="utf-8"><title>list</title>
<style>
	body { margin: 0; font: 14px/20px system-ui; }
	#box { height: 100vh; overflow: auto; position: relative; }
	#rows { position: absolute; left: 0; right: 0; top: 0; }
	article { height: 28px; display: flex; gap: 8px; overflow: hidden; white-space: nowrap; }
</style>
<div id="box" role="feed"><div id="whole"><div id="rows"></div></div></div>
<script>
	const ROW = 28, MARGIN = 10;
	const [box, whole, list] = ['box', 'whole', 'rows'].map((id) => document.getElementById(id));
	const rows = Array.from({ length: Number(new URLSearchParams(location.search).get('rows')) }, (_, at) => ({ at: 0, text: ${JSON.stringify(storedText(0))} + at }));
	const shown = new Map();
	let frame = 0, follows = true;
	function toElement({ at, text }) {
		const row = document.createElement('article');
		for (const part of [new Date(at).toLocaleTimeString(), '●', text]) row.append(Object.assign(document.createElement('span'), { textContent: part }));
		return row;
	}
	function render() {
		frame = 0;
		whole.style.height = rows.length * ROW + 'px';
		if (follows) box.scrollTop = rows.length * ROW;
		const from = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN);
		const to = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + MARGIN);
		for (const [at, row] of shown) if (at < from || at >= to) { row.remove(); shown.delete(at); }
		const first = Math.min(...shown.keys(), to);
		for (let at = from; at < to; at++) {
			if (shown.has(at)) continue;
			const row = toElement(rows[at]);
			shown.set(at, row);
			if (at < first) list.insertBefore(row, shown.get(first) ?? null);
			else list.append(row);
		}
		list.style.transform = 'translateY(' + from * ROW + 'px)';
	}
	const request = () => { frame ||= requestAnimationFrame(render); };
	box.addEventListener('scroll', () => { follows = box.scrollHeight - box.scrollTop - box.clientHeight < 8; request(); });
	const socket = new WebSocket(${JSON.stringify(socketUrl)});
	socket.onopen = () => document.documentElement.setAttribute('data-live', '');
	socket.onmessage = ({ data }) => { rows.push(JSON.parse(data)); request(); };
	request();
</script>`;
}
