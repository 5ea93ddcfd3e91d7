// The devices whose signed commands this runner accepts, in a private file: no hub and no repository can add one.
import { join } from 'node:path';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { devicePublicKey } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { COMMAND_CLASSES } from '@roost/protocol/hub/accepts';
import { type DeviceId, deviceId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from '../home.ts';

export const trustedDevice = z.object({
	id: deviceId,
	publicKey: devicePublicKey,
	name: z.string().min(1).max(64),
	/** Whose device it is. */
	user: z.string().min(1).max(64),
	/** `page`: runs what the hub serves, so a hub could use its key. */
	kind: z.enum(['program', 'page']),
	/** What it may sign. */
	classes: z.array(z.enum(COMMAND_CLASSES)),
	addedAt: z.number(),
	addedBy: z.string().min(1),
});
export type TrustedDevice = z.infer<typeof trustedDevice>;

const keyringFile = z.object({ devices: z.array(trustedDevice) });

export type Keyring = {
	/** Oldest first. */
	list(): Result<TrustedDevice[]>;
	find(id: DeviceId): Result<TrustedDevice | undefined>;
	/** Replaces an entry with the same id. */
	add(device: TrustedDevice): Result<void>;
	/** False if it was not there. */
	remove(id: DeviceId): Result<boolean>;
};

/** Keeps the file below the size limit of a private file. */
const MOST_DEVICES = 100;

/** Read at each use, so that a change applies to the next command. */
export function openKeyring(home: Pick<Home, 'data'>): Keyring {
	const path = join(home.data, 'keyring.json');

	function list(): Result<TrustedDevice[]> {
		const text = readPrivateFile(path);
		if (!text.ok) return text;
		return text.value === null ? ok([]) : parse(path, text.value);
	}

	function write(devices: readonly TrustedDevice[]): Result<void> {
		return replacePrivateFile(path, `${JSON.stringify({ devices }, null, '\t')}\n`);
	}

	return {
		list,
		find(id) {
			const all = list();
			return all.ok ? ok(all.value.find((each) => each.id === id)) : all;
		},
		add(device) {
			const all = list();
			if (!all.ok) return all;
			const others = all.value.filter(({ id }) => id !== device.id);
			if (others.length < MOST_DEVICES) return write([...others, device]);
			return err(new AppError('conflict', `${MOST_DEVICES} devices are trusted. Remove one with "roost devices untrust <id>".`));
		},
		remove(id) {
			const all = list();
			if (!all.ok) return all;
			const left = all.value.filter((each) => each.id !== id);
			if (left.length === all.value.length) return ok(false);
			const written = write(left);
			return written.ok ? ok(true) : written;
		},
	};
}

function parse(path: string, text: string): Result<TrustedDevice[]> {
	try {
		return ok(keyringFile.parse(JSON.parse(text)).devices);
	} catch (cause) {
		const next = 'Remove it and trust your devices again with "roost devices trust".';
		return err(new AppError('corrupt', `${path} cannot be read, so no signed command is accepted. ${next}`, { cause }));
	}
}
