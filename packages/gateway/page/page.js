// The page at /: sessions and pending requests, read-only. Every text is set as text, and was escaped by the runner.
import { call, logOut, register, takeTicket } from '/device.js';

const LOOK_MS = 2_000;
const NEW_LINK = 'Run "roost status --link" in a terminal and open the link it prints.';

let timer;
let shown;

async function start() {
	const ticket = takeTicket();
	try {
		const problem = ticket && (await register(ticket));
		await look(problem);
	} catch (error) {
		// Without key storage there is no device; a TypeError means that the runner is unreachable.
		if (error instanceof TypeError) retry();
		else hide(`This browser cannot keep a device key (${error.message}). Use a current browser outside private mode.`);
	}
}

/** Polls until this browser is logged out: then a new link is needed. */
async function look(problem) {
	clearTimeout(timer);
	try {
		const response = await call('/api/v1/overview');
		if (response.status === 401 || response.status === 403 || response.status === 429) {
			hide(`${problem ?? 'You are not logged in.'} ${NEW_LINK}`);
			return;
		}
		if (response.ok) showNew(await response.text());
		else hide(`The runner could not answer (${response.status}). Run "roost status" in a terminal.`);
		timer = setTimeout(look, LOOK_MS);
	} catch {
		retry();
	}
}

function retry() {
	hide('The runner does not answer. Start it in a terminal with "roost up"; this page reconnects by itself.');
	timer = setTimeout(look, LOOK_MS);
}

/** Unchanged content stays, so that text can be selected and copied. */
function showNew(text) {
	if (text === shown) return;
	shown = text;
	show(JSON.parse(text));
}

function show({ runner, sessions, asks }) {
	find('runner').textContent = `${runner.name}, version ${runner.version}`;
	say('Logged in. This page is read-only: answer requests in a terminal with the command shown.');
	fill('asks', asks.map(toAsk));
	fill('sessions', sessions.map(toSession));
	find('nothing-waits').hidden = asks.length > 0;
	find('no-sessions').hidden = sessions.length > 0;
	find('shown').hidden = false;
	find('logout').hidden = false;
}

function hide(sentence) {
	shown = undefined;
	say(sentence, 'bad');
	find('shown').hidden = true;
	find('logout').hidden = true;
	fill('asks', []);
	fill('sessions', []);
}

function say(sentence, tone = 'good') {
	find('state').textContent = sentence;
	find('state').dataset.tone = tone;
}

function toAsk({ id, kind, tool, input, risk, session, openedAt }) {
	const how = kind === 'question' ? `roost answer ${id} --set "Question=Answer"` : `roost allow ${id}\nroost deny ${id}`;
	return make('li', risk, [
		make('p', 'title', tool),
		make('p', 'about', [`${kind} · `, make('span', 'risk', `${risk} risk`), ` · session ${session} · since ${toTime(openedAt)}`]),
		make('pre', '', input),
		make('code', '', how),
	]);
}

function toSession({ id, agent, status, title, project, lastEventAt }) {
	return make('li', status, [
		make('p', 'title', title || id),
		make('p', 'about', [`${agent} · `, make('span', 'status', status), ` · last event ${toTime(lastEventAt)}`]),
		make('p', 'about', project),
		make('code', '', `roost feed ${id}`),
	]);
}

function fill(id, items) {
	find(id).replaceChildren(...items);
}

function make(name, kind, content) {
	const element = document.createElement(name);
	if (/^[a-z]+$/.test(kind)) element.className = kind;
	if (typeof content === 'string') element.textContent = content;
	else element.append(...content);
	return element;
}

function toTime(at) {
	return new Date(at).toLocaleTimeString();
}

function find(id) {
	return document.getElementById(id);
}

find('logout').addEventListener('click', async () => {
	clearTimeout(timer);
	await logOut();
	hide(`Logged out; this browser is no longer a device. ${NEW_LINK}`);
});

void start();
