# The server in a container. Build: docker build -t varve . Run: see docs/install.md, "In a container".
# Debian 13, not Alpine and not Debian 12: the binary of uWebSockets for Node 24 needs glibc 2.38.

FROM node:24-trixie-slim AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/lay-out-package.mjs /opt/varve

FROM node:24-trixie-slim
ENV NODE_ENV=production \
    VARVE_DATA=/var/lib/varve \
    VARVE_HOST=0.0.0.0
COPY --from=package /opt/varve /opt/varve
RUN ln -s /opt/varve/bin/varve.mjs /usr/local/bin/varve
RUN mkdir -p /var/lib/varve && chown node:node /var/lib/varve && chmod 0750 /var/lib/varve
WORKDIR /var/lib/varve
USER node
VOLUME /var/lib/varve
EXPOSE 4511
# The server itself gets the signal, and stops in order; give it 30 s and more (docker stop --time 60).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "/opt/varve/deploy/health.mjs"]
ENTRYPOINT ["varve"]
CMD ["serve"]
