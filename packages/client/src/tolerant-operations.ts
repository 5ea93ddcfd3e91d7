// Operations whose replies have events: an unknown kind does not make the rest unreadable, as in frames.
import { projects } from '@roost/protocol/contract/machine';
import { feed } from '@roost/protocol/contract/record';
import { tolerantEvent, tolerantLine } from '@roost/protocol/tolerant-line';
import { z } from 'zod';

export const tolerantFeed = {
	...feed,
	events: { ...feed.events, reply: z.array(tolerantLine) },
	event: { ...feed.event, reply: tolerantLine },
};

const pastPage = projects.events.reply;
const pastEvent = pastPage.shape.events.unwrap().element.extend({ event: tolerantEvent });

export const tolerantProjects = {
	...projects,
	events: { ...projects.events, reply: pastPage.extend({ events: z.array(pastEvent).readonly() }) },
};
