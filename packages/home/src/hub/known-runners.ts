// The keys of runners behind hubs, pinned when they are first used, in a private file: a hub cannot exchange one later.
import { join } from 'node:path';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { devicePublicKey } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { hubId } from '@roost/protocol/hub/pairing';
import { runnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from '../home.ts';

const pinnedRunner = z.object({ hub: hubId, id: runnerId, publicKey: devicePublicKey, pinnedAt: z.number() });
export type PinnedRunner = z.infer<typeof pinnedRunner>;

const knownFile = z.object({ runners: z.array(pinnedRunner) });

export type PinnedRunners = {
	list(): Result<PinnedRunner[]>;
	/** Replaces the key that was pinned before. */
	pin(runner: PinnedRunner): Result<void>;
	/** The pinned key. On first use that is the claimed one; another one later is an error. */
	check(claimed: PinnedRunner & { name: string }): Result<string>;
};

/** Keeps the file below the size limit of a private file. */
const MOST_RUNNERS = 1_000;

export function openPinnedRunners(home: Pick<Home, 'data'>): PinnedRunners {
	const path = join(home.data, 'known-runners.json');

	function list(): Result<PinnedRunner[]> {
		const text = readPrivateFile(path);
		if (!text.ok) return text;
		if (text.value === null) return ok([]);
		try {
			return ok(knownFile.parse(JSON.parse(text.value)).runners);
		} catch (cause) {
			const next = 'Compare the keys with "roost runners --keys" before you remove it.';
			return err(new AppError('corrupt', `${path} cannot be read, so no runner is trusted. ${next}`, { cause }));
		}
	}

	const pin: PinnedRunners['pin'] = ({ hub, id, publicKey, pinnedAt }) => {
		const all = list();
		if (!all.ok) return all;
		const others = all.value.filter((one) => one.hub !== hub || one.id !== id);
		const runners = [...others.slice(-MOST_RUNNERS + 1), { hub, id, publicKey, pinnedAt }];
		return replacePrivateFile(path, `${JSON.stringify({ runners }, null, '\t')}\n`);
	};

	return {
		list,
		pin,
		check(claimed) {
			const all = list();
			if (!all.ok) return all;
			const pinned = all.value.find(({ hub, id }) => hub === claimed.hub && id === claimed.id);
			if (pinned) return pinned.publicKey === claimed.publicKey ? ok(pinned.publicKey) : err(changed(claimed.name, path));
			const written = pin(claimed);
			return written.ok ? ok(claimed.publicKey) : written;
		},
	};
}

function changed(name: string, path: string): AppError {
	const why = 'It was paired again, or something between here and the runner shows its own key.';
	const next = `Compare it with "roost runners --keys" on the machine of the runner, then remove its entry from ${path}.`;
	return new AppError('denied', `The key of the runner "${name}" has changed. ${why} ${next}`);
}
