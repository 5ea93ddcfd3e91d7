// The only place that loads code of the hub, when a command needs it.

export const loadServeHub = () => import('@roost/hub/serve-hub');
