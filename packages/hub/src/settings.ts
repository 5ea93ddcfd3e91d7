// How a hub listens: flags over config.yaml. What would put plain HTTP on a network is refused unless it is forced.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isLoopback } from '@roost/gateway/access/checks';
import type { Certificate } from '@roost/gateway/http-app';
import type { RunnerConfig } from '@roost/home/config/schema';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { z } from 'zod';
import { type NotifyConfig, notifyConfig } from './notify/config.ts';

export type HubFlags = {
	port?: string | undefined;
	host?: string | undefined;
	url?: readonly string[] | undefined;
	behindProxy?: boolean | undefined;
	tlsCert?: string | undefined;
	tlsKey?: string | undefined;
	/** Plain HTTP beyond this machine. */
	insecureHttp?: boolean | undefined;
};

export type HubSettings = {
	name: string;
	host: string;
	port: number;
	/** At which it is reached besides this machine. */
	origins: readonly string[];
	tls: Certificate | undefined;
	database: string | undefined;
	/** Between its nodes. */
	nats: string | undefined;
	notify: NotifyConfig;
};

export function toHubSettings(config: RunnerConfig['hub'], flags: HubFlags): Result<HubSettings> {
	const port = flags.port === undefined ? ok(config.port) : parsePort(flags.port);
	if (!port.ok) return port;
	const origins = flags.url ?? config.urls;
	const odd = origins.find((url) => !/^https?:/.test(url) || URL.parse(url)?.origin !== url);
	if (odd !== undefined)
		return err(usage(`"${odd}" is not an address. Write it as https://hub.example.com, with nothing after it.`));
	const tls = readCertificate(flags.tlsCert ?? config.certificate, flags.tlsKey ?? config.key);
	if (!tls.ok) return tls;
	const host = flags.host ?? config.host;
	const fault = findExposure({
		isExposed: !isLoopback(host),
		origins,
		hasTls: tls.value !== undefined,
		isBehindProxy: flags.behindProxy ?? config.behindProxy,
		isForced: flags.insecureHttp === true,
	});
	if (fault) return err(usage(fault));
	const { name, database, nats } = config;
	if (nats !== undefined && database === undefined)
		return err(usage('hub.nats connects several nodes, which need a database in common: set hub.database, or remove hub.nats.'));
	const notify = notifyConfig.safeParse({ ...config.notify, webhooks: Object.values(config.webhooks) });
	if (!notify.success) return err(usage(oddNotify(notify.error)));
	return ok({ name, host, port: port.value, origins, tls: tls.value, database, nats, notify: notify.data });
}

/** Without the value: the address of a webhook is a secret. */
function oddNotify({ issues: [issue] }: z.ZodError): string {
	const [first, ...rest] = issue?.path ?? [];
	const key = first === 'webhooks' ? ['hub.webhooks', ...rest.slice(1)] : ['hub.notify', first, ...rest];
	return `${key.join('.')} in config.yaml is not usable: ${issue?.message ?? 'it has another form'}.`;
}

type Exposure = {
	isExposed: boolean;
	origins: readonly string[];
	hasTls: boolean;
	isBehindProxy: boolean;
	isForced: boolean;
};

function findExposure({ isExposed, origins, hasTls, isBehindProxy, isForced }: Exposure): string | undefined {
	const plain = origins.find((url) => url.startsWith('http:') && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')));
	if (plain !== undefined && !isForced)
		return `${plain} is plain HTTP, where everyone on the network can read and change what passes. Use https, or add --insecure-http.`;
	if (!isExposed) return undefined;
	if (!hasTls && !isBehindProxy && !isForced)
		return 'A hub that others reach needs TLS: add --tls-cert and --tls-key, or --behind-proxy where a proxy ends TLS. "--insecure-http" listens without it, and everyone on the network can read and change what passes.';
	return origins.length > 0
		? undefined
		: 'Name the address at which others reach the hub, such as --url https://hub.example.com.';
}

function parsePort(text: string): Result<number> {
	const port = Number(text);
	if (/^\d{1,5}$/.test(text) && port <= 65_535) return ok(port);
	return err(usage(`--port is "${text}"; it must be a whole number from 0 to 65535.`));
}

function readCertificate(cert: string | undefined, key: string | undefined): Result<Certificate | undefined> {
	if (cert === undefined && key === undefined) return ok(undefined);
	if (cert === undefined || key === undefined) return err(usage('TLS needs both files: --tls-cert and --tls-key.'));
	try {
		const read = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
		// Throws where it is no PEM, or the key is that of another certificate.
		createSecureContext(read);
		return ok(read);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('usage', `The certificate cannot be used: ${why}. Check --tls-cert and --tls-key.`, { cause }));
	}
}

function usage(message: string): AppError {
	return new AppError('usage', message);
}
