# The server in a container. Build: docker build -t varve . Run: see docs/operations.md, "In a container".
# Debian, not Alpine: the binary of uWebSockets needs glibc.

FROM node:20-bookworm-slim AS packages
WORKDIR /opt/varve
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    VARVE_DATA=/var/lib/varve \
    VARVE_HOST=0.0.0.0
WORKDIR /opt/varve
COPY --from=packages /opt/varve/node_modules ./node_modules
COPY package.json package-lock.json tsconfig.json LICENSE ./
COPY bin ./bin
COPY scripts ./scripts
COPY engine ./engine
COPY server ./server
COPY simulator ./simulator
COPY demo ./demo
COPY docs ./docs
RUN mkdir -p /var/lib/varve && chown node:node /var/lib/varve && chmod 0750 /var/lib/varve
USER node
VOLUME /var/lib/varve
EXPOSE 4511
# The server itself gets the signal, and stops in order; give it 30 s and more (docker stop --time 60).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "deploy/health.mjs"]
COPY deploy ./deploy
ENTRYPOINT ["node", "bin/varve.mjs"]
CMD ["serve"]
