// How callers get in: links, devices, bearers, tickets for sockets; and what needs no credential.
import { z } from 'zod';
import {
	bearerBody,
	bearerIssued,
	challengeBody,
	challengeIssued,
	device,
	devicesRevoked,
	registerDeviceBody,
	socketTicketBody,
	socketTicketIssued,
	ticketIssued,
} from '../api/devices.ts';
import { overview } from '../api/overview.ts';
import { deviceId } from '../ids.ts';
import { API, defineOperation, nothing } from './operation.ts';

const issue = { method: 'POST', from: 'machine', status: 201 } as const;
const devicesPath = `${API}/devices`;

export const login = {
	ticket: defineOperation({
		...issue,
		path: `${API}/tickets`,
		needs: 'admin',
		tokenOnly: true,
		summary: 'A link that registers a browser as a device, once, within seconds',
		reply: ticketIssued,
	}),
	register: defineOperation({
		...issue,
		path: devicesPath,
		needs: 'none',
		summary: 'Register the public key of a browser with the ticket of a link',
		body: registerDeviceBody,
		reply: device,
	}),
	challenge: defineOperation({
		...issue,
		path: `${API}/challenges`,
		needs: 'none',
		summary: 'A challenge for a device to sign, once, within seconds',
		body: challengeBody,
		reply: challengeIssued,
	}),
	bearer: defineOperation({
		...issue,
		path: `${API}/bearers`,
		needs: 'none',
		summary: 'A bearer that is valid for minutes, for a signed challenge',
		body: bearerBody,
		reply: bearerIssued,
	}),
	socketTicket: defineOperation({
		...issue,
		path: `${API}/socket-tickets`,
		needs: 'view',
		summary: 'A ticket for the first frame of one WebSocket on this path, within seconds',
		body: socketTicketBody,
		reply: socketTicketIssued,
	}),
} as const;

export const devices = {
	list: defineOperation({
		method: 'GET',
		path: devicesPath,
		needs: 'view',
		from: 'machine',
		summary: 'List devices',
		reply: z.array(device),
	}),
	revoke: defineOperation({
		method: 'DELETE',
		path: `${devicesPath}/:id`,
		needs: 'admin',
		from: 'machine',
		summary: 'Revoke a device: ends its bearers and closes its sockets',
		params: z.strictObject({ id: deviceId }),
		reply: nothing,
	}),
	revokeAll: defineOperation({
		method: 'DELETE',
		path: devicesPath,
		needs: 'admin',
		from: 'machine',
		tokenOnly: true,
		summary: 'Revoke all devices and void unused links',
		reply: devicesRevoked,
	}),
} as const;

/** About the gateway itself. */
export const server = {
	overview: defineOperation({
		method: 'GET',
		path: `${API}/overview`,
		needs: 'view',
		from: 'record',
		summary: 'What runs and what is pending, escaped for display',
		reply: overview,
	}),
	health: defineOperation({
		method: 'GET',
		path: '/healthz',
		needs: 'none',
		from: 'machine',
		summary: 'Whether the gateway answers',
		reply: z.object({ ok: z.literal(true) }),
	}),
	metrics: defineOperation({
		method: 'GET',
		path: '/metrics',
		needs: 'view',
		from: 'machine',
		summary: 'Metrics in the text format of Prometheus',
		media: 'text/plain; version=0.0.4',
		reply: z.string(),
	}),
	openApi: defineOperation({
		method: 'GET',
		path: `${API}/openapi.json`,
		needs: 'view',
		from: 'machine',
		summary: 'This document',
		reply: z.record(z.string(), z.unknown()),
	}),
} as const;
