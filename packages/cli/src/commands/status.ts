// roost status: run often, by users and scripts, so it loads as little as possible.
import { age } from '@roost/core/display/age';
import { AppError } from '@roost/protocol/app-error';
import { currentTarget } from '../hub/target.ts';
import { reportOldConfig, unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import type { LoginLink } from '../runner/login-link.ts';
import { reachRunner } from '../runner/reach.ts';
import { nodeFetch } from '../transport/node-transport.ts';

type StatusOptions = { json?: boolean; link?: boolean; qr?: boolean };

export async function status(options: StatusOptions): Promise<void> {
	if (currentTarget()) return await (await import('./runners.ts')).listRunners(options);
	const reached = unwrap(await reachRunner({ env: process.env }));
	const wantsLink = options.link === true || options.qr === true;
	if (!reached && wantsLink)
		throw new AppError('cannot_start', 'No runner is up: start one with "roost up --detach", which prints a link.');
	if (!reached) return await print(options, null, ['No runner is up. Commands that need one start it.']);
	const { baseUrl, running, hasOldConfig } = reached;
	const link = wantsLink ? await linkHere() : undefined;
	await print(options, { ...running, link }, [
		`The runner is up at ${baseUrl} (process ${running.pid}, version ${running.version}, for ${age(running.startedAt, Date.now())}).`,
		...(link ? await toLinkLines(link, options) : []),
	]);
	if (hasOldConfig) reportOldConfig();
	const silence = await findSilence(baseUrl);
	if (silence === null) return;
	throw new AppError('cannot_start', `The runner does not answer (${silence}). Run "roost down", then "roost up --detach".`);
}

async function linkHere(): Promise<LoginLink> {
	const { connectToDecide } = await import('../runner/connect.ts');
	const { makeLink } = await import('../runner/login-link.ts');
	const connected = unwrap(await connectToDecide('status --link', { start: false }));
	if (!connected) throw new AppError('cannot_start', 'The runner has stopped. Start it with "roost up".');
	return await makeLink(connected);
}

async function toLinkLines({ url, elsewhere }: LoginLink, { qr, json }: StatusOptions): Promise<string[]> {
	const [first] = elsewhere;
	if (!qr || json) {
		const which = first === undefined ? 'it' : 'one of these';
		return [`Open ${which} in a browser within 30 seconds, once:`, ...[url, ...elsewhere].map((each) => `  ${each}`)];
	}
	const { toQrLines } = await import('../output/qr-code.ts');
	const { styleFor } = await import('../output/feed-line.ts');
	const how = 'Scan it within 30 seconds, once:';
	return [
		first === undefined ? `${NOT_REACHABLE} ${how}` : how,
		`  ${first ?? url}`,
		...toQrLines(first ?? url, styleFor(process.stdout, process.env)),
	];
}

const NOT_REACHABLE =
	'A phone cannot reach this address. Serve it with an https proxy, such as "tailscale serve", and set web.origins in config.yaml.';

/** Why the runner does not answer; null if it does. */
async function findSilence(baseUrl: string): Promise<string | null> {
	try {
		const { status } = await nodeFetch(`${baseUrl}/healthz`, { method: 'GET', headers: {} });
		return status === 200 ? null : `its health is ${status}`;
	} catch (cause) {
		return cause instanceof Error ? cause.message : String(cause);
	}
}
