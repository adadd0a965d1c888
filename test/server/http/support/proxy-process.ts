// Real reverse proxies in front of a server, as processes of their own with configurations of their own, on loopback.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** `nginx-plain` has nothing but the address in its configuration, as it comes: it speaks HTTP/1.0 to the server. */
export type ProxyName = 'nginx' | 'nginx-plain' | 'haproxy';

const START_LIMIT_MS = 60_000;
const RETRY_MS = 50;

interface ProxyPlan {
  readonly config: (folder: string, port: number, upstreamPort: number) => string;
  readonly args: (configFile: string, folder: string) => readonly string[];
}

function nginxConfig(folder: string, port: number, upstream: string, location: string): string {
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${upstream}
  server {
    listen 127.0.0.1:${port};
    location / { ${location} }
  }
}
`;
}

const NGINX_ARGS = (configFile: string, folder: string): readonly string[] => ['-c', configFile, '-p', folder];

const PLANS: Readonly<Record<ProxyName, ProxyPlan>> = {
  // Bodies are passed on as they come, over connections that are kept.
  nginx: {
    config: (folder, port, upstreamPort) =>
      nginxConfig(
        folder,
        port,
        `upstream varve { server 127.0.0.1:${upstreamPort}; keepalive 1; }`,
        `proxy_pass http://varve;
         proxy_http_version 1.1;
         proxy_set_header Connection "";
         proxy_set_header Host $http_host;
         proxy_request_buffering off;
         proxy_buffering off;`,
      ),
    args: NGINX_ARGS,
  },
  'nginx-plain': {
    config: (folder, port, upstreamPort) =>
      nginxConfig(folder, port, '', `proxy_pass http://127.0.0.1:${upstreamPort};`),
    args: NGINX_ARGS,
  },
  haproxy: {
    config: (_, port, upstreamPort) => `
global
  maxconn 256
defaults
  mode http
  timeout connect 60s
  timeout queue 60s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend in
  bind 127.0.0.1:${port}
  default_backend varve
backend varve
  server one 127.0.0.1:${upstreamPort} maxconn 1
`,
    args: (configFile) => ['-db', '-f', configFile],
  },
};

/** Whether the program is on this machine. */
export function hasProxy(name: ProxyName): boolean {
  return spawnSync(programOf(name), ['-v'], { stdio: 'ignore' }).status === 0;
}

export class ProxyProcess {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Rejects when it does not take connections in time. Its files go into `folder`. */
  static async start(name: ProxyName, folder: string, upstreamPort: number): Promise<ProxyProcess> {
    const port = await freePort();
    const { config, args } = PLANS[name];
    mkdirSync(folder, { recursive: true });
    const configFile = join(folder, `${name}.conf`);
    writeFileSync(configFile, config(folder, port, upstreamPort));
    const child = spawn(programOf(name), args(configFile, folder), { stdio: 'ignore' });
    const proxy = new ProxyProcess(child, port);
    try {
      await proxy.#listening();
    } catch (error) {
      await proxy.stop();
      throw error;
    }
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async #listening(): Promise<void> {
    const deadlineMs = performance.now() + START_LIMIT_MS;
    while (!(await takesConnections(this.port))) {
      if (this.#child.exitCode !== null) throw new Error(`the proxy ended with code ${this.#child.exitCode}`);
      if (performance.now() > deadlineMs) throw new Error(`the proxy takes no connections after ${START_LIMIT_MS} ms`);
      await delay(RETRY_MS);
    }
  }
}

function programOf(name: ProxyName): string {
  return name === 'nginx-plain' ? 'nginx' : name;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('BUG: no port');
  return address.port;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
