-- Home Assistant's Bluetooth stood in the order of every mower whose Bluetooth was ever left to the vendor's app, before
-- there was anything that carried it. Now that there is, it is used where its owner says so: nobody has said so yet.
UPDATE device_gateway.mower_links SET link_order = array_remove(link_order, 'home_assistant');
