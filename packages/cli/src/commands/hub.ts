// roost hub: runs a hub, until it is stopped.
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { write } from '../output/print.ts';
import { loadServeHub } from '../runner/open-hub.ts';

export type HubOptions = {
	port?: string;
	host?: string;
	url?: string[];
	behindProxy?: boolean;
	tlsCert?: string;
	tlsKey?: string;
	insecureHttp?: boolean;
	jsonLogs?: boolean;
};

type Up = { url: string; invitation: { url: string; expiresAt: number } | undefined };

export async function runHub({ jsonLogs = false, ...flags }: HubOptions): Promise<void> {
	const { serveHub } = await loadServeHub();
	const ended = await serveHub({
		env: process.env,
		flags,
		logTo: { format: jsonLogs ? 'json' : 'pretty', write: (text) => void process.stdout.write(text) },
		onUp: (up) => void (jsonLogs ? undefined : greet(up)),
	});
	process.exitCode = unwrap(ended);
}

/** The link works once, for minutes, and only until a runner is paired; scripts read it, too. */
async function greet({ url, invitation }: Up): Promise<void> {
	const lines = [`Open it in a browser at ${url}`];
	if (invitation) {
		lines.push('Pair the first runner within 10 minutes, on its machine:', `  ${calledAs()} join '${invitation.url}'`);
		if (process.stdout.isTTY) lines.push(...(await toQr(invitation.url)));
	} else lines.push(`Pair a runner with the link that "${calledAs()} hub invite" makes on this machine.`);
	lines.push('Stop the hub with Ctrl-C.');
	await write(process.stdout, lines);
}

async function toQr(link: string): Promise<string[]> {
	const { styleFor } = await import('../output/feed-line.ts');
	const { toQrLines } = await import('../output/qr-code.ts');
	return toQrLines(link, styleFor(process.stdout, process.env));
}
