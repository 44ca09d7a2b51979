-- Run once, when the cluster is made.
CREATE ROLE gateway LOGIN PASSWORD :'password';
CREATE DATABASE gateway OWNER gateway;
