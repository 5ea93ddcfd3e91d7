// The pairing of this machine with a hub, in private files of Roost's home. The key of the command line has a file of its own.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { devicePublicKey } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { hubId, hubIdentity } from '@roost/protocol/hub/pairing';
import { deviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from '../home.ts';

const signingKey = z.object({
	publicKey: devicePublicKey,
	privateKey: z.string().regex(/^[\w-]{43}$/, 'expected 32 bytes as base64url'),
});
const hubUrl = z.url({ protocol: /^(wss?|https?)$/ });

const pairing = z.object({
	url: hubUrl,
	/** Pinned: another key is not this hub. */
	hub: hubIdentity,
	/** Of this machine at the hub. */
	name: z.string().min(1).max(64),
	/** Of the runner. */
	key: signingKey,
	pairedAt: z.number(),
});
export type HubPairing = z.infer<typeof pairing>;

const cliDevice = z.object({
	url: hubUrl,
	hub: hubId,
	id: deviceId,
	name: z.string().min(1),
	user: z.string().min(1),
	key: signingKey,
});
export type CliDevice = z.infer<typeof cliDevice>;

type Place = Pick<Home, 'data'>;

const JOIN_AGAIN = 'Remove it and pair again with "roost join <link>".';

/** Null where this machine is paired with no hub. */
export function readPairing(home: Place): Result<HubPairing | null> {
	return readFile(pairingPath(home), pairing);
}

export function writePairing(home: Place, value: HubPairing): Result<void> {
	return writeFile(pairingPath(home), value);
}

/** With the key of the command line. */
export function removePairing(home: Place): Result<void> {
	for (const path of [pairingPath(home), cliDevicePath(home)]) {
		const removed = removeFile(path);
		if (!removed.ok) return removed;
	}
	return ok(undefined);
}

export function readCliDevice(home: Place): Result<CliDevice | null> {
	return readFile(cliDevicePath(home), cliDevice);
}

export function writeCliDevice(home: Place, value: CliDevice): Result<void> {
	return writeFile(cliDevicePath(home), value);
}

function pairingPath({ data }: Place): string {
	return join(data, 'hub.json');
}

/** The runner never reads it: only the command line signs with it. */
function cliDevicePath({ data }: Place): string {
	return join(data, 'hub-device.json');
}

function readFile<T>(path: string, schema: z.ZodType<T>): Result<T | null> {
	const text = readPrivateFile(path);
	if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
	try {
		return ok(schema.parse(JSON.parse(text.value)));
	} catch (cause) {
		return err(new AppError('corrupt', `${path} cannot be read. ${JOIN_AGAIN}`, { cause }));
	}
}

function writeFile(path: string, value: object): Result<void> {
	return replacePrivateFile(path, `${JSON.stringify(value, null, '\t')}\n`);
}

function removeFile(path: string): Result<void> {
	try {
		rmSync(path, { force: true });
		return ok(undefined);
	} catch (cause) {
		return err(new AppError('unsafe_path', `${path} cannot be removed. Remove it yourself.`, { cause }));
	}
}
