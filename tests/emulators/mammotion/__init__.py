"""An emulated Mammotion cloud with mowers that live: HTTP, a real MQTT broker, pymammotion's own protobufs.

Nothing of pymammotion is imported here: whoever wants another cloud address sets it before the first import
(`address.py`).
"""
