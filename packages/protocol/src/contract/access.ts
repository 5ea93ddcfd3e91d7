// How callers get in: links, devices, bearers; and what needs no credential.
import { z } from 'zod';
import {
	bearerBody,
	bearerIssued,
	challengeBody,
	challengeIssued,
	device,
	deviceRegistered,
	devicesRevoked,
	registerDeviceBody,
	ticketIssued,
} from '../api/devices.ts';
import { overview } from '../api/overview.ts';
import { deviceId } from '../ids.ts';
import { nothing, operation } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const issue = { method: 'POST', needs: 'none', from: 'machine', status: 201 } as const;
const revoke = { method: 'DELETE', needs: 'admin', from: 'machine' } as const;

export const login = {
	ticket: operation(
		{ ...issue, needs: 'admin', tokenOnly: true },
		'/tickets',
		'A link that registers a browser as a device, once, within seconds',
		{ reply: ticketIssued },
	),
	register: operation(issue, '/devices', 'Register the public key of a browser with the ticket of a link, and log it in', {
		body: registerDeviceBody,
		reply: deviceRegistered,
	}),
	// Worth nothing without the key; who may sign it in is judged with the bearer.
	challenge: operation({ ...issue, agentsMay: true }, '/challenges', 'A challenge for a device to sign, once, within seconds', {
		body: challengeBody,
		reply: challengeIssued,
	}),
	bearer: operation(issue, '/bearers', 'A bearer that is valid for minutes, for a signed challenge', {
		body: bearerBody,
		reply: bearerIssued,
	}),
} as const;

export const devices = {
	list: operation(read, '/devices', 'List devices', { reply: z.array(device) }),
	revoke: operation(revoke, '/devices/:id', 'Revoke a device: ends its bearers and closes its sockets', {
		params: z.strictObject({ id: deviceId }),
		reply: nothing,
	}),
	revokeAll: operation({ ...revoke, tokenOnly: true }, '/devices', 'Revoke all devices and void unused links', {
		reply: devicesRevoked,
	}),
} as const;

/** About the gateway itself. */
export const server = {
	overview: operation({ ...read, from: 'record' }, '/overview', 'Sessions and pending requests, escaped for display', {
		reply: overview,
	}),
	health: operation({ ...read, needs: 'none', isBare: true }, '/healthz', 'Whether the gateway answers', {
		// A page needs to know before its login which link to ask for, and which version it has to be of.
		reply: z.object({ ok: z.literal(true), hub: z.object({ version: z.string() }).optional() }),
	}),
	metrics: operation(
		{ ...read, isBare: true, media: 'text/plain; version=0.0.4' },
		'/metrics',
		'Metrics in the text format of Prometheus',
		{ reply: z.string() },
	),
	openApi: operation(read, '/openapi.json', 'This document', { reply: z.record(z.string(), z.unknown()) }),
} as const;
